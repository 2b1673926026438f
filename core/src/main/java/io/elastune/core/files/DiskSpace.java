package io.elastune.core.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Detects that a disk is full, or that the user's quota on it is used up. */
public final class DiskSpace {
  /** A file system with less than this is full: the writer of a large file has filled it. */
  private static final long FULL_BYTES = 1 << 20;

  /** The texts of the system's errors ENOSPC and EDQUOT, and of SQLite. */
  private static final List<String> ERRORS =
      List.of("No space left on device", "Disk quota exceeded", "disk is full");

  private DiskSpace() {}

  /** Returns whether the file system of a folder, or of its nearest existing parent, is full. */
  public static boolean isFull(Path folder) {
    Path existing = folder.toAbsolutePath();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    try {
      return Files.getFileStore(existing).getUsableSpace() < FULL_BYTES;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns whether an error message or the output of a program names a full disk. */
  public static boolean isFull(String message) {
    return ERRORS.stream().anyMatch(message::contains);
  }
}
