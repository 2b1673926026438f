package io.elastune.executor.journal;

import io.elastune.core.files.DiskSpace;
import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that keeps some space of the disk for the end of a run. When the disk is full, it is
 * deleted, and the journal can record that the run stops, so that the run can be resumed.
 */
final class JournalReserve {
  private static final int BYTES = 4 << 20;

  private final Path path;
  private boolean released;

  /** Occupies the space, if the disk has it. */
  JournalReserve(RunFolder folder) {
    path = folder.reserve();
    try {
      ByteBuffer zeros = ByteBuffer.allocate(BYTES);
      try (FileChannel file =
          FileChannel.open(PrivateFiles.createFile(path), StandardOpenOption.WRITE)) {
        while (zeros.hasRemaining()) {
          file.write(zeros);
        }
      }
    } catch (IOException e) {
      remove();
    }
  }

  /** Frees the space if an error says that the disk is full; returns whether it did. */
  boolean release(JournalException error) {
    if (!DiskSpace.isFull(String.valueOf(error.getMessage()))) {
      return false;
    }
    boolean hadSpace = remove();
    released |= hadSpace;
    return hadSpace;
  }

  /** Returns whether the space was freed because the disk was full. */
  boolean isReleased() {
    return released;
  }

  /** Frees the space at the end of the run; returns whether there was any. */
  boolean remove() {
    try {
      return Files.deleteIfExists(path);
    } catch (IOException e) {
      return false;
    }
  }
}
