//! What the surroundings of this process allow, as one JSON object.

use std::{
    env, fs,
    net::{TcpStream, ToSocketAddrs},
    path::Path,
    time::Duration,
};

use crate::json::{addresses, string, strings};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Lines of /proc/self/status that are reported as they are.
const STATUS_FIELDS: [&str; 10] =
    ["Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs", "Seccomp"];

/// Limits as cgroup version 2 and version 1 show them inside a container.
const CGROUP_FILES: [&str; 8] = [
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory.swap.max",
    "/sys/fs/cgroup/pids.max",
    "/sys/fs/cgroup/cpu.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    "/sys/fs/cgroup/pids/pids.max",
    "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
];

/// Reports; `input` may be `{"connect": ["host:port", …]}`, and each of those is tried over TCP.
pub fn report(input: &[u8]) -> String {
    let fields = [
        ("pid", std::process::id().to_string()),
        ("status", status()),
        (
            "writable",
            object(["/", "/tmp", "/dev/shm", "/etc"].map(|path| (path, writable(path).to_string()))),
        ),
        ("mounts", strings(lines("/proc/self/mountinfo"))),
        ("cgroup", object(CGROUP_FILES.iter().filter_map(|&file| Some((file, string(read(file)?.trim())))))),
        ("limits", limits()),
        ("interfaces", strings(interfaces())),
        ("connect", connections(input)),
        ("env", strings(env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned()))),
        ("devices", strings(names_in("/dev"))),
        ("root", strings(names_in("/"))),
        ("hostname", string(read("/proc/sys/kernel/hostname").unwrap_or_default().trim())),
    ];
    object(fields)
}

fn object<K: AsRef<str>>(fields: impl IntoIterator<Item = (K, String)>) -> String {
    let members: Vec<_> =
        fields.into_iter().map(|(name, value)| format!("{}:{value}", string(name.as_ref()))).collect();
    format!("{{{}}}", members.join(","))
}

fn status() -> String {
    let lines = lines("/proc/self/status");
    let fields = lines.iter().filter_map(|line| line.split_once(':'));
    let shown = fields.filter(|(name, _)| STATUS_FIELDS.contains(name));
    object(shown.map(|(name, value)| (name, string(&value.split_whitespace().collect::<Vec<_>>().join(" ")))))
}

/// Whether a file can be made in the folder; it is taken away again.
fn writable(folder: &str) -> bool {
    let file = Path::new(folder).join(".misbehave-probe");
    let made = fs::write(&file, b"x").is_ok();
    let _ = fs::remove_file(file);
    made
}

/// Soft and hard limits by name, as /proc/self/limits has them.
fn limits() -> String {
    let lines = lines("/proc/self/limits");
    let rows = lines.iter().skip(1).filter(|line| line.len() > 60);
    object(rows.map(|line| {
        let values: Vec<_> = line[26..].split_whitespace().take(2).collect();
        (line[..26].trim(), strings(values))
    }))
}

fn interfaces() -> Vec<String> {
    let rows = lines("/proc/net/dev");
    rows.iter().filter_map(|row| row.split_once(':')).map(|(name, _)| name.trim().to_owned()).collect()
}

fn connections(input: &[u8]) -> String {
    let targets = addresses(input);
    object(targets.iter().map(|target| (target, string(&connect(target)))))
}

/// `connected`, or why not.
fn connect(target: &str) -> String {
    let address = match target.to_socket_addrs().map(|mut addresses| addresses.next()) {
        Ok(Some(address)) => address,
        Ok(None) => return "no address".to_owned(),
        Err(error) => return format!("cannot resolve: {error}"),
    };
    match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
        Ok(_) => "connected".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn lines(file: &str) -> Vec<String> {
    read(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

fn read(file: &str) -> Option<String> {
    fs::read_to_string(file).ok()
}
