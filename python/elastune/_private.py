"""Opens folders whose contents are executed or trusted later.

The function is a copy of the one in the bridge to Ray, which is sent to nodes as one file.
"""

import grp
import os
import pwd
import stat


def private_folder(path: str) -> str:
    """Returns a folder of this user alone, with the mode 0700, as a path without links.

    Creates it and its missing parents. Raises a PermissionError with the reason if another user
    owns it, can write to it, or can replace it or a folder that it is in, or if it is a link. A
    group counts as others, unless it is the one that many systems give to each user.
    """

    def refusal(folder: str, reason: str) -> PermissionError:
        return PermissionError(f"the folder {folder} is not private: {reason}")

    def trusted(about: os.stat_result) -> bool:
        owners = {0, os.geteuid()}
        try:  # the owner that the kernel shows for users which a container does not have
            with open("/proc/self/uid_map") as file:
                if not file.read().strip().endswith("4294967295"):
                    owners.add(65534)
        except OSError:
            pass  # not Linux
        return about.st_uid in owners

    def own_group(about: os.stat_result) -> bool:
        try:
            name = grp.getgrgid(about.st_gid).gr_name
            return about.st_gid in (0, about.st_uid) or name == pwd.getpwuid(about.st_uid).pw_name
        except KeyError:
            return about.st_gid in (0, about.st_uid)

    def others_can_write(about: os.stat_result) -> bool:
        by_group = bool(about.st_mode & stat.S_IWGRP) and not own_group(about)
        return by_group or bool(about.st_mode & stat.S_IWOTH)

    real, links = "/", 0
    parts = os.path.abspath(path).split("/")
    while parts:
        part = parts.pop(0)
        if part in ("", "."):
            continue
        if part == "..":
            real = os.path.dirname(real)
            continue
        about = os.lstat(real)
        if not stat.S_ISDIR(about.st_mode):
            raise refusal(real, "it is not a folder")
        if not trusted(about):
            raise refusal(real, f"it belongs to the user {about.st_uid}")
        if others_can_write(about) and not about.st_mode & stat.S_ISVTX:
            raise refusal(real, "other users can replace the folders in it")
        found = os.path.join(real, part)
        try:
            about = os.lstat(found)
        except FileNotFoundError:
            try:
                os.mkdir(found, 0o700)
            except FileExistsError:
                pass  # another process has just created it
            about = os.lstat(found)
        if not stat.S_ISLNK(about.st_mode):
            real = found
            continue
        links += 1
        if not any(parts):
            raise refusal(found, "it is a link")
        if not trusted(about) or links > 40:
            raise refusal(path, f"{found} is a link of the user {about.st_uid}")
        target = os.readlink(found)
        parts = target.split("/") + parts
        real = "/" if target.startswith("/") else real
    about = os.lstat(real)
    if not stat.S_ISDIR(about.st_mode):
        raise refusal(real, "it is not a folder")
    if about.st_uid != os.geteuid():
        raise refusal(real, f"it belongs to the user {about.st_uid}")
    if others_can_write(about):
        raise refusal(real, "other users can write to it")
    if about.st_mode & 0o077:
        os.chmod(real, 0o700)
        if os.lstat(real).st_mode & 0o077:
            raise refusal(real, "its file system gives access to other users")
    return real
