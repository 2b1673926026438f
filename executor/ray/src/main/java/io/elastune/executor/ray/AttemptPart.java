package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.protocol.AttemptLog;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The share of an attempt on one lease: how far its journal and its output were read, and whether
 * it has ended.
 */
final class AttemptPart {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptPart.class);
  private static final byte[] LINE_CUT = " … (line cut)".getBytes(StandardCharsets.UTF_8);

  private final String lease;
  private final String attempt;
  private final Path position;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private long journal;
  private long output;
  private boolean begun;
  private boolean ended;

  /**
   * Creates a part of which nothing was read.
   *
   * @param position the file that stores how much of the output the log has
   */
  AttemptPart(String lease, String attempt, Path position) {
    this.lease = lease;
    this.attempt = attempt;
    this.position = position;
  }

  String lease() {
    return lease;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Records that its node knows the attempt. */
  void begin() {
    begun = true;
  }

  /** Returns whether its node knew the attempt. */
  boolean hasBegun() {
    return begun || journal > 0;
  }

  void end() {
    ended = true;
  }

  /** Returns the request for all events that were not read. */
  Request follow() {
    return Request.of("follow", lease)
        .with("attempt", attempt)
        .with("journal", journal)
        .with("log", output)
        .with("begun", hasBegun());
  }

  /** Continues where the log of an earlier controller ends. */
  void resume() {
    begin();
    try {
      output = Long.parseLong(Files.readString(position).strip());
    } catch (IOException | NumberFormatException e) {
      output = 0; // the log gets the output again
    }
  }

  /** Returns whether an event is new: a new bridge may repeat it. */
  boolean accepts(Frame event) {
    long end = event.header().path("journal").asLong(0);
    if (ended || end <= journal) {
      return false;
    }
    journal = end;
    return true;
  }

  /** Writes output to the log, without what it has already, and passes its lines on. */
  void output(Frame event, AttemptLog log, FoundOutput found) {
    long end = event.header().path("log").asLong(0);
    long known = output - (end - event.bytes().length);
    if (ended || end <= output) {
      return;
    }
    long skipped = event.header().path("skipped").asLong(0);
    if (skipped > 0) {
      line(("… " + skipped + " bytes of output are missing").getBytes(StandardCharsets.UTF_8), log);
    }
    output = end;
    for (int i = (int) Math.max(0, known); i < event.bytes().length; i++) {
      if (event.bytes()[i] == '\n') {
        found.line(line.toByteArray(), line.size());
        line(line.toByteArray(), log);
        line.reset();
      } else {
        line.write(event.bytes()[i]);
      }
    }
    found.save();
    savePosition();
  }

  private static void line(byte[] bytes, AttemptLog log) {
    int rest = bytes.length - LINE_CUT.length;
    boolean cut =
        rest >= 0 && Arrays.equals(bytes, rest, bytes.length, LINE_CUT, 0, LINE_CUT.length);
    log.line("", bytes, cut ? rest : bytes.length, cut);
  }

  private void savePosition() {
    try {
      Files.writeString(
          PrivateFiles.createFile(position), Long.toString(output - line.size()) + "\n");
    } catch (IOException e) {
      LOG.debug("Position of {} not stored: {}", attempt, e.toString());
    }
  }

  /** Deletes the stored position. */
  void forgetPosition() {
    try {
      Files.deleteIfExists(position);
    } catch (IOException e) {
      LOG.debug("Position of {} not deleted: {}", attempt, e.toString());
    }
  }
}
