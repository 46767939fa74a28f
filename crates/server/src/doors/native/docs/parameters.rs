//! What a call takes besides its body: what is said once for many calls.

use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{PathItem, RefOr, Required};

use crate::http::described::operations;

/// Completes the parameters of one path.
pub(super) fn complete(path: &str, item: &mut PathItem) {
    for operation in operations(item) {
        move_to_query(path, operation);
    }
    let is_stream = path.ends_with("/stream") || path.ends_with("/events");
    if let Some(read) = &mut item.get
        && path.starts_with("/v1/games")
        && !is_stream
    {
        read.parameters
            .get_or_insert_default()
            .push(version_header().into());
    }
}

/// A parameter that the path does not name is in the query: a description that
/// does not say where its fields are would otherwise put them into the path,
/// where there is no place for them. None of our queries has to be given.
fn move_to_query(path: &str, operation: &mut Operation) {
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else {
            continue;
        };
        let is_in_path = path.contains(&format!("{{{}}}", parameter.name));
        if parameter.parameter_in == ParameterIn::Path && !is_in_path {
            parameter.parameter_in = ParameterIn::Query;
            parameter.required = Required::False;
        }
    }
}

fn version_header() -> Parameter {
    let schema = ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::Integer))
        .minimum(Some(0));
    ParameterBuilder::new()
        .name("Arbiter-Version")
        .parameter_in(ParameterIn::Header)
        .description(Some(
            "The last version the caller has seen: the answer is never of an older state.",
        ))
        .schema(Some(schema.build()))
        .build()
}
