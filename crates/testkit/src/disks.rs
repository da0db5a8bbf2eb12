//! Disks that tests fill, make read-only or break.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A separate file system in memory, unmounted when it is dropped.
pub struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    /// Mounts a disk of this many kibibytes. If the user may not mount one, prints a note and returns `None`, or fails
    /// if `REQUIRE_SERVICES` is 1.
    ///
    /// # Panics
    ///
    /// Panics if no disk can be mounted although it is required.
    pub fn mounted(kibibytes: u32) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kibibytes}k,mode=700"), "none"]).arg(folder.path());
        let is_mounted = mount.output().is_ok_and(|mounted| mounted.status.success());
        if is_mounted {
            return Some(Self { folder });
        }
        assert!(env::var_os("REQUIRE_SERVICES").is_none_or(|set| set != "1"), "no small disk can be mounted here");
        eprintln!("skipped: no small disk can be mounted here");
        None
    }

    /// Returns the mount point.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Fills the disk to the last byte.
    ///
    /// # Panics
    ///
    /// Panics if a write fails for another reason than a full disk.
    pub fn fill(&self) {
        let mut file = OpenOptions::new().create(true).append(true).open(self.filling()).expect("a file");
        let filled = Self::fill_with(&mut file);
        assert_eq!(filled, ErrorKind::StorageFull);
    }

    fn fill_with(file: &mut File) -> ErrorKind {
        loop {
            if let Err(error) = file.write_all(&[0; 512]) {
                return error.kind();
            }
        }
    }

    /// Frees the space taken by [`Self::fill`].
    ///
    /// # Panics
    ///
    /// Panics if the disk was not filled.
    pub fn empty(&self) {
        fs::remove_file(self.filling()).expect("it was filled");
    }

    /// Makes the disk read-only, or writable again. It works while no program has a file open for writing.
    ///
    /// # Panics
    ///
    /// Panics if the disk cannot be mounted again.
    pub fn set_read_only(&self, read_only: bool) {
        let option = if read_only { "remount,ro" } else { "remount,rw" };
        tool("mount", &["-o".as_ref(), option.as_ref(), self.path().as_os_str()]).expect("mounted again");
    }

    fn filling(&self) -> PathBuf {
        self.path().join("filling")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

/// An ext4 file system in a file, which the kernel makes read-only when it finds an error in it.
pub struct FailingDisk {
    folder: tempfile::TempDir,
}

impl FailingDisk {
    /// Mounts a disk of this many mebibytes. Prints a note and returns `None` if the user may not: that takes root and a loop
    /// device, which few machines of CI have.
    ///
    /// # Panics
    ///
    /// Panics if the machine has no temporary folder.
    pub fn mounted(mebibytes: u64) -> Option<Self> {
        let disk = Self { folder: tempfile::tempdir().expect("a folder") };
        fs::create_dir(disk.path()).expect("a folder");
        File::create(disk.image()).and_then(|image| image.set_len(mebibytes << 20)).expect("an image");
        let made = tool("mkfs.ext4", &["-q".as_ref(), "-F".as_ref(), disk.image().as_os_str()]);
        match made.and_then(|_| disk.mount("loop,errors=remount-ro")) {
            Ok(_) => Some(disk),
            Err(why) => {
                eprintln!("skipped: {why}");
                None
            }
        }
    }

    /// Returns the mount point.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("mounted")
    }

    /// Writes everything to the disk.
    ///
    /// # Panics
    ///
    /// Panics if a tool of the system fails, like all operations below.
    pub fn sync(&self) {
        tool("sync", &["--file-system".as_ref(), self.path().as_os_str()]).expect("written");
    }

    /// Makes the kernel find an error.
    ///
    /// # Panics
    ///
    /// Panics if the kernel has no such function.
    pub fn fail(&self) {
        let path = self.path();
        let source = ["--noheadings".as_ref(), "--output".as_ref(), "SOURCE".as_ref(), path.as_os_str()];
        let device = tool("findmnt", &source).expect("mounted");
        let device = device.trim().rsplit('/').next().expect("a device").to_owned();
        fs::write(format!("/sys/fs/ext4/{device}/trigger_fs_error"), "1").expect("an error");
    }

    /// Cuts the power: what the disk has not written is lost. Mounts it again, as after a restart.
    ///
    /// # Panics
    ///
    /// Panics if the kernel has no such function.
    pub fn cut_power(&self) {
        // `EXT4_IOC_SHUTDOWN` without a flush of the journal.
        const SHUTDOWN: &str = "import fcntl, os, struct, sys\n\
            fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587D, struct.pack('I', 2))";
        let path = self.path();
        tool("python3", &["-c".as_ref(), SHUTDOWN.as_ref(), path.as_os_str()]).expect("shut down");
        tool("umount", &[path.as_os_str()]).expect("unmounted");
        self.mount("loop").expect("mounted");
    }

    /// Repairs the disk as an operator does, once no program uses it.
    ///
    /// # Panics
    ///
    /// Panics if it cannot be mounted again.
    pub fn repair(&self) {
        tool("umount", &[self.path().as_os_str()]).expect("unmounted");
        // The exit code is 1 if errors were corrected.
        drop(tool("e2fsck", &["-f".as_ref(), "-y".as_ref(), self.image().as_os_str()]));
        self.mount("loop").expect("mounted");
    }

    fn mount(&self, options: &str) -> Result<String, String> {
        tool("mount", &["-o".as_ref(), options.as_ref(), self.image().as_os_str(), self.path().as_os_str()])
    }

    fn image(&self) -> PathBuf {
        self.folder.path().join("disk.img")
    }
}

impl Drop for FailingDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

/// A file system that does not respond, as that of a server which is gone, mounted over a folder until it is dropped.
pub struct HungDisk {
    /// The channel on which the kernel waits for responses. Once it is closed, pending calls fail.
    channel: Option<File>,
    over: PathBuf,
}

impl HungDisk {
    /// Mounts over a folder. If the user may not, prints a note and returns `None`, or fails if `REQUIRE_SERVICES` is 1.
    ///
    /// # Panics
    ///
    /// Panics if nothing can be mounted although it is required.
    pub fn mounted_over(folder: &Path) -> Option<Self> {
        let mounted = Self::mount(folder);
        let is_required = env::var_os("REQUIRE_SERVICES").is_some_and(|set| set == "1");
        assert!(mounted.is_ok() || !is_required, "no hung disk can be mounted here: {:?}", mounted.err());
        mounted.inspect_err(|why| eprintln!("skipped: {why}")).ok()
    }

    fn mount(folder: &Path) -> std::io::Result<Self> {
        let channel = OpenOptions::new().read(true).write(true).open("/dev/fuse")?;
        let mut mount = Command::new("mount");
        mount.args(["-i", "-t", "fuse", "-o", "fd=0,rootmode=40000,user_id=0,group_id=0", "hung"]).arg(folder);
        let mounted = mount.stdin(channel.try_clone()?).output()?;
        if mounted.status.success() {
            return Ok(Self { channel: Some(channel), over: folder.to_owned() });
        }
        Err(std::io::Error::other(String::from_utf8_lossy(&mounted.stderr).into_owned()))
    }
}

impl Drop for HungDisk {
    fn drop(&mut self) {
        drop(self.channel.take());
        let _ = Command::new("umount").arg("--lazy").arg(&self.over).status();
    }
}

/// Runs a tool of the system; returns its output, or the reason that it failed.
fn tool(name: &str, arguments: &[&OsStr]) -> Result<String, String> {
    let output = Command::new(name).args(arguments).output().map_err(|error| format!("{name}: {error}"))?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(format!("{name}: {}", text(output.stderr))) }
}
