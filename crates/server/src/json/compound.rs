//! What consists of several values.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use serde_json::Error;

use super::{Json, key, name_of};

/// An array or an object that was begun.
pub(super) struct List<'a> {
    out: &'a mut Vec<u8>,
    end: u8,
    is_empty: bool,
}

impl<'a> List<'a> {
    pub(super) fn begun(out: &'a mut Vec<u8>, end: u8) -> List<'a> {
        List {
            out,
            end,
            is_empty: true,
        }
    }

    /// Before each of them.
    fn next(&mut self) {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
    }

    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.next();
        value.serialize(Json(self.out))
    }

    fn field(
        &mut self,
        name: &'static str,
        value: &(impl Serialize + ?Sized),
    ) -> Result<(), Error> {
        self.next();
        name_of(self.out, name);
        value.serialize(Json(self.out))
    }

    fn finish(self) -> &'a mut Vec<u8> {
        self.out.push(self.end);
        self.out
    }
}

/// The same as what is in a variant: the object around it ends with it.
pub(super) struct Variant<'a>(pub(super) List<'a>);

impl Variant<'_> {
    fn element(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
        self.0.element(value)
    }

    fn field(
        &mut self,
        name: &'static str,
        value: &(impl Serialize + ?Sized),
    ) -> Result<(), Error> {
        self.0.field(name, value)
    }

    fn finish(self) {
        self.0.finish().push(b'}');
    }
}

/// Shapes whose elements come one after the other.
macro_rules! in_a_row {
    ($($shape:ident::$each:ident for $list:ident),* $(,)?) => {
        $(impl $shape for $list<'_> {
            type Ok = ();
            type Error = Error;

            fn $each<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.element(value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
    };
}

/// Shapes whose elements have names.
macro_rules! by_name {
    ($($shape:ident for $list:ident),* $(,)?) => {
        $(impl $shape for $list<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), Error> {
                self.field(name, value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish();
                Ok(())
            }
        })*
    };
}

in_a_row! {
    SerializeSeq::serialize_element for List,
    SerializeTuple::serialize_element for List,
    SerializeTupleStruct::serialize_field for List,
    SerializeTupleVariant::serialize_field for Variant,
}

by_name! {
    SerializeStruct for List,
    SerializeStructVariant for Variant,
}

impl SerializeMap for List<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Error> {
        self.next();
        key(self.out, name)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        value.serialize(Json(self.out))
    }

    fn end(self) -> Result<(), Error> {
        self.finish();
        Ok(())
    }
}
