package io.elastune.cli.service;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.CalibrationDocument;
import io.elastune.cli.text.CalibrationScreen;
import io.elastune.cli.text.ReliabilityChart;
import io.elastune.core.offer.Offer;
import io.elastune.profiler.Calibration;
import io.elastune.profiler.History;
import io.elastune.profiler.PlaceTimes;
import io.elastune.profiler.history.FaultExposure;
import io.elastune.profiler.history.HistoryException;
import io.elastune.profiler.history.PastPrediction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/** Implements {@code profiles check}: compares past predictions with what the runs took. */
public final class CalibrationService {
  private final CliEnvironment cliEnvironment;
  private final Output output;

  public CalibrationService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Checks the predictions of all runs.
   *
   * @param simulated whether to check simulated runs instead of real ones
   * @param svg a file for the diagram
   */
  public ExitCode check(boolean simulated, Optional<String> svg) {
    History history = new History(cliEnvironment.home(), cliEnvironment.clock());
    try {
      List<PastPrediction> all = history.predictions();
      Calibration calibration =
          Calibration.of(all.stream().filter(one -> one.simulated() == simulated).toList());
      int others = (int) all.stream().filter(one -> one.simulated() != simulated).count();
      List<FaultExposure> exposures = history.exposures();
      List<PlaceTimes> places =
          history.places().stream()
              .filter(one -> one.offer().startsWith(Offer.SIMULATED) == simulated)
              .toList();
      new CalibrationScreen(calibration, simulated, others)
          .lines(exposures, places)
          .forEach(output.text()::println);
      svg.ifPresent(file -> write(file, ReliabilityChart.of(calibration)));
      output.jsonDocument(
          () -> CalibrationDocument.of(calibration, simulated, others, exposures, places));
      return ExitCode.DONE;
    } catch (HistoryException e) {
      throw CommandFailure.invalid(
          "history.db",
          String.valueOf(e.getMessage()),
          "make "
              + cliEnvironment.displayPath(cliEnvironment.home())
              + " writable; the file may be removed, since it is computed again from the"
              + " journals of all runs");
    }
  }

  private void write(String file, String svg) {
    try {
      Files.writeString(cliEnvironment.path(file), svg);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
    output.text().println("Saved as " + file);
  }
}
