//! A client of HTTP/1.1, and events in binary mode as the public CloudEvents crate writes them.

use cloudevents::{
    Event,
    binding::http::{Builder, Serializer},
    message::{BinaryDeserializer, Result},
};
use http_body_util::{BodyExt, Full};
use hyper::{Request, body::Bytes, client::conn::http1, header::HOST, http::HeaderValue};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

pub type Response = hyper::Response<Bytes>;

/// Over a dedicated connection; returns when the response is complete.
pub async fn send(address: &str, mut request: Request<Vec<u8>>) -> Response {
    let stream = TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    let connection = tokio::spawn(connection);
    request.headers_mut().insert(HOST, HeaderValue::from_str(address).unwrap());
    let response = sender.send_request(request.map(Full::<Bytes>::from)).await.unwrap();
    let (head, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    drop(sender);
    // A server that refuses a body may hang up before it has all of it.
    let _ = connection.await.unwrap();
    Response::from_parts(head, body)
}

pub fn of_event(event: Event) -> Request<Vec<u8>> {
    let request = Serializer::new(RequestBuilder(Request::post("/")));
    BinaryDeserializer::deserialize_binary(event, request).unwrap()
}

struct RequestBuilder(hyper::http::request::Builder);

impl Builder<Request<Vec<u8>>> for RequestBuilder {
    fn header(&mut self, key: &str, value: HeaderValue) {
        self.0.headers_mut().unwrap().append(hyper::http::HeaderName::try_from(key).unwrap(), value);
    }

    fn body(&mut self, bytes: Vec<u8>) -> Result<Request<Vec<u8>>> {
        Ok(std::mem::take(&mut self.0).body(bytes).unwrap())
    }

    fn finish(&mut self) -> Result<Request<Vec<u8>>> {
        self.body(Vec::new())
    }
}
