package io.elastune.executor.journal;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * A note in a run's folder that the run was stopped because its journal could not be written, which
 * the journal itself does not contain. Its space is reserved when a controller starts, since a
 * common reason is a full disk.
 */
public final class JournalLoss {
  private static final int BYTES = 512;
  private static final byte BLANK = ' ';

  private JournalLoss() {}

  /** Reserves the space of the note, and removes a note of an earlier controller. */
  public static void reserve(RunFolder folder) {
    write(folder, "");
  }

  /** Stores why the journal could not be written, if that is possible. */
  public static void write(RunFolder folder, String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    byte[] padded = Arrays.copyOf(text, BYTES);
    Arrays.fill(padded, Math.min(text.length, BYTES), BYTES, BLANK);
    try {
      Path file = PrivateFiles.createFile(folder.journalLoss());
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(padded)); // in place, which needs no space
      }
    } catch (IOException e) {
      return; // the folder was removed, or its file system failed
    }
  }

  /** Returns why the journal could not be written; empty if it was not lost. */
  public static Optional<String> read(RunFolder folder) {
    try {
      return Optional.of(Files.readString(folder.journalLoss()).strip())
          .filter(text -> !text.isEmpty());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
