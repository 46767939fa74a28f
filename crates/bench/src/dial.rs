//! Connections from an address of one's choice: all of 127.0.0.0/8 is this machine.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, connect, socket_with};

/// Connects, from an address of this machine if one is given.
pub(crate) fn dial(from: Option<Ipv4Addr>, to: SocketAddr) -> io::Result<TcpStream> {
    let Some(from) = from else {
        return TcpStream::connect(to);
    };
    let (inet, stream) = (AddressFamily::INET, SocketType::STREAM);
    let socket = socket_with(inet, stream, SocketFlags::CLOEXEC, None)?;
    bind(&socket, &SocketAddrV4::new(from, 0))?;
    connect(&socket, &to)?;
    Ok(TcpStream::from(socket))
}
