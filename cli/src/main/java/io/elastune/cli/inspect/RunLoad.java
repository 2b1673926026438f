package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.journal.RunFolder;
import io.elastune.plan.json.KeyIfPresent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What other programs use of this machine during a run, beside what they used while its program was
 * profiled. The controller measures it, and stores it in the folder of the run.
 *
 * @param cores the cores of the machine
 * @param used the cores that they have used in the last seconds
 * @param mean the cores that they have used on average since the run started or was resumed
 * @param whileProfiled the cores that they used while the program was profiled; empty if unknown
 * @param trialsSlower by how much longer trials take than predicted, as far as the load explains
 *     it; empty if no trial runs
 */
public record RunLoad(
    @JsonPropertyDescription("Cores of the machine.") int cores,
    @JsonPropertyDescription("Cores that other programs have used in the last seconds.")
        double used,
    @JsonPropertyDescription("Cores that they have used on average during the run.") double mean,
    @KeyIfPresent
        @JsonPropertyDescription("Cores that they used while the program was profiled, if known.")
        OptionalDouble whileProfiled,
    @KeyIfPresent
        @JsonPropertyDescription(
            "By how much longer trials take than predicted because of this load, if any run.")
        OptionalDouble trialsSlower) {
  /** More than this part of all cores is another load. */
  private static final double CHANGE = 0.25;

  private static final String FILE = "load.json";
  private static final JsonMapper JSON = JsonMapper.shared();

  /**
   * Returns the load of a moment.
   *
   * @param trialCores the cores of the trials that run
   */
  public static RunLoad of(
      int cores, double used, double mean, OptionalDouble whileProfiled, double trialCores) {
    double predicted = Math.min(trialCores, cores - Math.min(cores, whileProfiled.orElse(0)));
    double now = Math.min(trialCores, cores - Math.min(cores, used));
    return new RunLoad(
        cores,
        used,
        mean,
        whileProfiled,
        trialCores > 0 && now > 0 && predicted > 0
            ? OptionalDouble.of(predicted / now)
            : OptionalDouble.empty());
  }

  /** Returns the load of a run; empty if none was measured. */
  public static Optional<RunLoad> read(RunFolder folder) {
    Path file = folder.path().resolve(FILE);
    try {
      return Files.exists(file)
          ? Optional.of(JSON.readValue(Files.readString(file), RunLoad.class))
          : Optional.empty();
    } catch (IOException | JacksonException e) {
      return Optional.empty(); // it is only shown
    }
  }

  /** Stores the load of a run, if its folder can be written. */
  public void write(RunFolder folder) {
    Path file = folder.path().resolve(FILE);
    Path draft = folder.path().resolve(FILE + ".tmp");
    try {
      Files.writeString(PrivateFiles.createFile(draft), JSON.writeValueAsString(this));
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      // the journal reports a disk that is full
    }
  }

  /** Returns whether others use far more, or far less, than while the program was profiled. */
  public boolean isOther() {
    return isOther(used);
  }

  private boolean isOther(double othersUse) {
    return Math.abs(othersUse - whileProfiled.orElse(0)) > CHANGE * cores;
  }

  /** Returns the load of this moment as text, with what follows for the trials. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "other programs use %.1f of the %d cores of this machine%s%s",
        used,
        cores,
        profiled(),
        isOther() ? ": " + effect() : "");
  }

  private String profiled() {
    return whileProfiled.isPresent()
        ? String.format(
            Locale.ROOT, ", %.1f while the program was profiled", whileProfiled.getAsDouble())
        : "";
  }

  private String effect() {
    String word = used > whileProfiled.orElse(0) ? "slower" : "faster";
    double factor = trialsSlower.orElse(1);
    double times = factor < 1 ? 1 / factor : factor;
    return times < 1.05
        ? "trials may be " + word + " than predicted"
        : String.format(
            Locale.ROOT,
            "trials that keep their cores busy are about %.1fx %s than predicted, and the forecast changes as they report",
            times,
            word);
  }

  /** Returns the load of the whole run as text; empty if the prediction was made for such a one. */
  public Optional<String> summary() {
    return isOther(mean)
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "other programs used %.1f of the %d cores of this machine during the run%s: the"
                    + " prediction was for another load",
                mean,
                cores,
                profiled()))
        : Optional.empty();
  }
}
