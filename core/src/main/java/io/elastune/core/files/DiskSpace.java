package io.elastune.core.files;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Detects that a disk is full, or that the user's quota on it is used up. */
public final class DiskSpace {
  /** A file system with less than this is full: the writer of a large file has filled it. */
  private static final long FULL_BYTES = 1 << 20;

  /** What logs leave free of a disk, for the journal and for checkpoints; less of a small disk. */
  private static final long RESERVED_BYTES = 256L << 20;

  private static final int RESERVED_PART = 20;

  /** The texts of the system's errors ENOSPC and EDQUOT, and of SQLite. */
  private static final List<String> ERRORS =
      List.of("No space left on device", "Disk quota exceeded", "disk is full");

  private DiskSpace() {}

  /** Returns whether the file system of a folder, or of its nearest existing parent, is full. */
  public static boolean isFull(Path folder) {
    OptionalLong free = free(folder);
    return free.isPresent() && free.getAsLong() < FULL_BYTES;
  }

  /**
   * Returns whether the rest of the file system is reserved for the journal and for checkpoints:
   * 256 MiB, or a twentieth of a smaller disk. Logs and other output stop there.
   */
  public static boolean isReserved(Path folder) {
    try {
      FileStore store = Files.getFileStore(existing(folder));
      long reserved = Math.min(RESERVED_BYTES, store.getTotalSpace() / RESERVED_PART);
      return store.getUsableSpace() < reserved;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the free bytes on the file system of a folder, or of its nearest existing parent; empty
   * if that cannot be read.
   */
  public static OptionalLong free(Path folder) {
    try {
      return OptionalLong.of(Files.getFileStore(existing(folder)).getUsableSpace());
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** Returns the folder, or its nearest existing parent. */
  static Path existing(Path folder) {
    Path existing = folder.toAbsolutePath();
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    return existing;
  }

  /** Returns whether the message of a failed write names a full disk. */
  public static boolean isFull(String message) {
    return ERRORS.stream().anyMatch(message::contains);
  }
}
