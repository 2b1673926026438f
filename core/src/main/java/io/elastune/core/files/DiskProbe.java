package io.elastune.core.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Measures whether files can still be written to a folder: by the free bytes of its file system,
 * and by writing a small file, which also needs an inode and a rest of the user's quota.
 */
public final class DiskProbe {
  private static final int PROBE_BYTES = 1 << 16;
  private static final String PREFIX = ".elastune-probe-";

  /** How programs name a full disk. Output alone proves nothing: it may quote the words. */
  private static final Pattern HINT =
      Pattern.compile(
          "(?i)no space left|quota exceeded|disk is full|disk full|not enough (?:free )?space"
              + "|\\bENOSPC\\b|\\bEDQUOT\\b|errno 28\\b|errno 122\\b|unexpected pos \\d+");

  private DiskProbe() {}

  /** Returns whether the output of a program suggests that a disk is full. */
  public static boolean isSuggestedBy(String output) {
    return HINT.matcher(output).find();
  }

  /** Returns the first of the folders to which nothing can be written, as measured now. */
  public static Optional<Path> firstFull(List<Path> folders) {
    return folders.stream().filter(DiskProbe::isFull).findFirst();
  }

  /** Returns whether nothing can be written to a folder, or to its nearest existing parent. */
  public static boolean isFull(Path folder) {
    return DiskSpace.isFull(folder) || refusesFile(DiskSpace.existing(folder));
  }

  private static boolean refusesFile(Path folder) {
    @Nullable Path probe = null;
    try {
      probe = Files.createTempFile(folder, PREFIX, "");
      try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
        while (bytes.hasRemaining()) {
          int unused = channel.write(bytes);
        }
        channel.force(false);
      }
      return false;
    } catch (IOException e) {
      String reason = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
      return DiskSpace.isFull(String.valueOf(reason)); // not if it is read-only, for example
    } finally {
      remove(probe);
    }
  }

  private static void remove(@Nullable Path probe) {
    try {
      if (probe != null) {
        Files.deleteIfExists(probe);
      }
    } catch (IOException e) {
      return; // it has a few bytes, and the file system has more serious problems
    }
  }
}
