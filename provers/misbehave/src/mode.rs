//! The ways to misbehave.

/// What the process does instead of proving. Unless said otherwise it listens, is healthy, and does this when
/// a task is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Exits at once, with code 3, after printing a line.
    Exit,
    /// Runs and never listens.
    NeverListen,
    /// Listens after a while, then echoes.
    LateListen,
    /// Responds with bytes that are not HTTP.
    Garbage,
    /// Closes the connection without a response.
    Nothing,
    /// Announces more bytes than it sends, and closes.
    Half,
    /// Returns status 500 with a problem document.
    ServerError,
    /// Returns status 202 with nothing, as one that would respond later, and closes.
    Later,
    /// Returns a result of `HUGE_BYTES` bytes, or an endless one.
    Huge,
    /// Allocates and touches memory until it is killed.
    OutOfMemory,
    /// Has a child do that, and returns status 500 once it is gone.
    ChildOutOfMemory,
    /// Does that at once, before it listens: what the child of the mode before is.
    TakeMemory,
    /// Forks until it may not any more, then returns how often it could.
    ForkBomb,
    /// Prints `LOG_FLOOD_BYTES` bytes of lines, then responds.
    LogFlood,
    /// Fills /tmp, then returns how much went in.
    FillTmp,
    /// Never responds, and ignores SIGTERM.
    Hang,
    /// Returns a report of what its surroundings allow.
    Probe,
    /// Returns a report of what is at /data.
    Data,
    /// As a verifier: accepts a result that is its input byte for byte, and no other.
    Verify,
    /// Returns the input byte for byte.
    Echo,
    /// Input `{"ms": N, "lines": M}`: responds after so long and so many lines, or stops when the caller hangs up.
    Sleep,
    /// Dies of a segmentation fault.
    Crash,
}

const NAMES: [(&str, Mode); 22] = [
    ("exit", Mode::Exit),
    ("never-listen", Mode::NeverListen),
    ("late-listen", Mode::LateListen),
    ("garbage", Mode::Garbage),
    ("nothing", Mode::Nothing),
    ("half", Mode::Half),
    ("500", Mode::ServerError),
    ("202", Mode::Later),
    ("huge", Mode::Huge),
    ("oom", Mode::OutOfMemory),
    ("oom-child", Mode::ChildOutOfMemory),
    ("take-memory", Mode::TakeMemory),
    ("fork-bomb", Mode::ForkBomb),
    ("log-flood", Mode::LogFlood),
    ("fill-tmp", Mode::FillTmp),
    ("hang", Mode::Hang),
    ("probe", Mode::Probe),
    ("data", Mode::Data),
    ("verify", Mode::Verify),
    ("echo", Mode::Echo),
    ("sleep", Mode::Sleep),
    ("crash", Mode::Crash),
];

impl Mode {
    /// The mode of that name.
    pub fn parse(name: &str) -> Option<Self> {
        NAMES.iter().find(|(candidate, _)| *candidate == name).map(|&(_, mode)| mode)
    }

    /// All names, for a message.
    pub fn names() -> String {
        NAMES.map(|(name, _)| name).join(", ")
    }
}
