/// Returns the name of the operating system's user that the program runs as; `uid` and the number if it has no name.
pub fn user_name() -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    #[cfg(unix)]
    let number = rustix::process::getuid().as_raw();
    #[cfg(not(unix))]
    let number = u32::MAX;
    name_of(number, &users).map_or_else(|| format!("uid {number}"), str::to_owned)
}

/// Returns the name of this machine; an empty text where the system has no name.
pub fn machine_name() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    String::new()
}

/// Returns the name of a user in the lines of `passwd`.
fn name_of(number: u32, users: &str) -> Option<&str> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, uid) = (fields.next()?, fields.nth(1)?);
        (uid == number.to_string()).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_the_name_of_the_line_with_its_number() {
        let users = "root:x:0:0:root:/root:/bin/sh\nann:x:100:10::/home/ann:/bin/sh\n\nbroken\n";
        assert_eq!([0, 100, 10].map(|number| name_of(number, users)), [Some("root"), Some("ann"), None]);
    }
}
