package io.elastune.core.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * Who owns a file and who can change it. Links are not followed.
 *
 * @param name the name of the owner, or its number without an account
 * @param group the name of the group
 * @param mode the type and the permissions, as in {@code st_mode}
 */
record FileOwner(int uid, int gid, String name, String group, int mode) {
  private static final int TYPE = 0170000;
  private static final int LINK = 0120000;
  private static final int STICKY = 01000;
  private static final int GROUP_WRITE = 020;
  private static final int OTHERS_WRITE = 02;
  private static final int OTHERS = 077;

  static FileOwner of(Path path) throws IOException {
    Map<String, Object> found =
        Files.readAttributes(path, "unix:uid,gid,owner,group,mode", LinkOption.NOFOLLOW_LINKS);
    return new FileOwner(
        number(found, "uid"),
        number(found, "gid"),
        String.valueOf(found.get("owner")),
        String.valueOf(found.get("group")),
        number(found, "mode"));
  }

  private static int number(Map<String, Object> attributes, String name) {
    return (Integer) Objects.requireNonNull(attributes.get(name));
  }

  boolean isLink() {
    return (mode & TYPE) == LINK;
  }

  boolean isSticky() {
    return (mode & STICKY) != 0;
  }

  boolean isThisUser() throws IOException {
    return uid == ThisUser.uid();
  }

  /** Whether it belongs to this user or to the administrator, who can change everything anyway. */
  boolean isTrusted() throws IOException {
    return uid == 0 || isThisUser() || (uid == ThisUser.UNMAPPED && ThisUser.hasUnmapped());
  }

  /**
   * Whether other users can write. A group counts as others, unless it is the one of the same name
   * that many systems give to each user.
   */
  boolean othersCanWrite() {
    boolean isOwnGroup = gid == 0 || gid == uid || group.equals(name);
    return (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITE) != 0 && !isOwnGroup);
  }

  boolean othersCanRead() {
    return (mode & OTHERS) != 0;
  }

  /** The user of this process. */
  private static final class ThisUser {
    /** The owner that the kernel shows for users which a container does not have. */
    static final int UNMAPPED = 65534;

    private static final Path PROCESS = Path.of("/proc/self");
    private static final String ALL = "4294967295";

    private ThisUser() {}

    static int uid() throws IOException {
      return Files.isDirectory(PROCESS) ? uid(PROCESS) : uidOfNewFile();
    }

    private static int uid(Path path) throws IOException {
      return (Integer) Files.getAttribute(path, "unix:uid");
    }

    private static int uidOfNewFile() throws IOException {
      Path file = Files.createTempFile("elastune", "");
      try {
        return uid(file);
      } finally {
        Files.delete(file);
      }
    }

    /** Whether this process is in a user namespace that does not have all users. */
    static boolean hasUnmapped() {
      try {
        return !Files.readString(PROCESS.resolve("uid_map"), StandardCharsets.US_ASCII)
            .strip()
            .endsWith(ALL);
      } catch (IOException e) {
        return false;
      }
    }
  }
}
