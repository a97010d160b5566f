//! Reading a body up to a limit.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::timeout;

use crate::problem::Problem;

/// How long the next piece of a body may take.
const PIECE_TIMEOUT: Duration = Duration::from_secs(30);

/// How long the rest of a body that is too long is read and thrown away. Without that, the connection would be
/// reset while the sender writes, and the response lost.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(2);

/// All of the body, unless it is longer than `bytes_max`.
pub(crate) async fn read(mut body: Incoming, bytes_max: usize) -> Result<Bytes, Problem> {
    let announced = body.size_hint().lower();
    let mut bytes = BytesMut::new();
    let mut fits = usize::try_from(announced).is_ok_and(|announced| announced <= bytes_max);
    while fits {
        match next(&mut body).await? {
            Some(piece) if bytes.len() + piece.len() <= bytes_max => bytes.extend_from_slice(&piece),
            Some(_) => fits = false,
            None => return Ok(bytes.freeze()),
        }
    }
    let discard = async { while let Ok(Some(_)) = next(&mut body).await {} };
    // Whether it came to its end or not, the response is the same.
    let _ = timeout(DISCARD_TIMEOUT, discard).await;
    Err(Problem::input_too_large(bytes_max))
}

async fn next(body: &mut Incoming) -> Result<Option<Bytes>, Problem> {
    loop {
        let frame = timeout(PIECE_TIMEOUT, body.frame()).await.map_err(|_| Problem::body_timeout())?;
        match frame {
            None => return Ok(None),
            Some(Err(error)) => return Err(Problem::body_broken(format!("the body broke off: {error}"))),
            // Trailers are not data.
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}
