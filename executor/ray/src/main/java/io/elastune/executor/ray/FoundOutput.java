package io.elastune.executor.ray;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.protocol.AttemptReports;
import io.elastune.executor.protocol.OutputMetric;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds the metric of the search in the log of an attempt. What was found is stored beside the log:
 * another controller reads only the rest of the output.
 */
final class FoundOutput {
  private static final Logger LOG = LoggerFactory.getLogger(FoundOutput.class);
  private static final JsonMapper JSON = new JsonMapper();
  private static final byte[] RANK_ZERO = "[0] ".getBytes(StandardCharsets.UTF_8);

  private final AttemptReports reports;
  private final boolean prefixed;
  private final Path file;
  private OutputMetric.State stored = OutputMetric.State.NONE;

  /**
   * Creates the finder.
   *
   * @param prefixed whether the lines of the log begin with the rank
   */
  FoundOutput(AttemptReports reports, boolean prefixed, Path file) {
    this.reports = reports;
    this.prefixed = prefixed;
    this.file = file;
  }

  /** Reads a line of the log. */
  void line(byte[] line, int length) {
    if (!prefixed) {
      reports.readOutput(line, length);
      return;
    }
    int begin = RANK_ZERO.length;
    for (int i = 0; i < begin; i++) {
      if (length <= i || line[i] != RANK_ZERO[i]) {
        return;
      }
    }
    byte[] own = new byte[length - begin];
    System.arraycopy(line, begin, own, 0, own.length);
    reports.readOutput(own, own.length);
  }

  /** Stores what was found, before the position in the log is. */
  void save() {
    OutputMetric.State state =
        reports.output().map(OutputMetric::state).orElse(OutputMetric.State.NONE);
    if (state.equals(stored)) {
      return;
    }
    stored = state;
    try {
      Files.write(PrivateFiles.createFile(file), JSON.writeValueAsBytes(state));
    } catch (IOException e) {
      LOG.debug("{} not stored: {}", file, e.toString());
    }
  }

  /** Continues with what an earlier controller has found. */
  void resume() {
    try {
      OutputMetric.State state = JSON.readValue(Files.readAllBytes(file), OutputMetric.State.class);
      stored = state;
      reports.output().ifPresent(output -> output.restore(state));
    } catch (IOException | JacksonException e) {
      LOG.debug("Nothing was found before: {}", e.toString());
    }
  }

  /** Deletes what was stored. */
  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      LOG.debug("{} not deleted: {}", file, e.toString());
    }
  }
}
