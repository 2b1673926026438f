package io.elastune.cli.service;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.FileJson;
import io.elastune.cli.json.RemovedDocument;
import io.elastune.cli.text.PercentFormat;
import io.elastune.cli.text.Plural;
import io.elastune.cli.text.TextTable;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.core.time.Durations;
import io.elastune.plan.json.KeyIfPresent;
import io.elastune.profiler.History;
import io.elastune.profiler.PastRuns;
import io.elastune.profiler.ProfileStore;
import io.elastune.profiler.ScalingLaw;
import io.elastune.profiler.history.HistoryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Implements the commands {@code profiles list|show|rm} for stored profiles. */
public final class ProfilesService {
  private final Output output;
  private final ProfileStore store;
  private final CliEnvironment cliEnvironment;
  private final Map<String, Path> files = new TreeMap<>();

  public ProfilesService(CliEnvironment cliEnvironment, Output output) {
    this.output = output;
    this.cliEnvironment = cliEnvironment;
    this.store = new ProfileStore(cliEnvironment.home());
    store.files().forEach(file -> files.put(name(file), file));
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName()).replaceFirst("\\.yaml$", "");
  }

  /** Lists all profiles. */
  public ExitCode list() {
    Map<String, Profile> profiles = new TreeMap<>();
    files.forEach((name, file) -> store.read(file).ifPresent(some -> profiles.put(name, some)));
    if (profiles.isEmpty()) {
      output
          .text()
          .println("No stored profiles. 'elastune run' and 'elastune profile' create them.");
    } else {
      table(profiles, runs(profiles)).lines().forEach(output.text()::println);
    }
    output.jsonDocument(() -> document(profiles, runs(profiles)));
    return ExitCode.DONE;
  }

  /** The runs of each program in the history; none if the history cannot be read. */
  private Map<String, PastRuns> runs(Map<String, Profile> profiles) {
    try {
      return new History(cliEnvironment.home(), cliEnvironment.clock())
          .runsByProfile(profiles.keySet());
    } catch (HistoryException e) {
      output.text().println("the history of earlier runs is not used: " + e.getMessage());
      return Map.of();
    }
  }

  private String age(Profile profile) {
    return Durations.format(age(profile.measured().at()));
  }

  private Duration age(Instant measured) {
    Duration age = Duration.between(measured, cliEnvironment.clock().instant());
    return age.isNegative() ? Duration.ZERO : age.truncatedTo(ChronoUnit.MINUTES);
  }

  /** The largest relative standard error of the seconds per unit; empty if it is unknown. */
  private static OptionalDouble error(Profile profile) {
    return profile.measured().numbers().stream()
        .filter(number -> number.name().startsWith("training."))
        .mapToDouble(number -> number.standardError() / number.value())
        .max();
  }

  private TextTable table(Map<String, Profile> profiles, Map<String, PastRuns> runs) {
    TextTable table =
        new TextTable()
            .left("name")
            .left("program")
            .left("gpu")
            .left("measured")
            .right("age")
            .right("±")
            .right("runs")
            .right("n of runs")
            .left("source");
    profiles.forEach(
        (name, profile) ->
            table.row(
                name,
                profile.program(),
                profile.gpu(),
                profile.measured().at().truncatedTo(ChronoUnit.SECONDS)
                    + " (n="
                    + profile.measured().samples()
                    + ")",
                age(profile),
                error(profile).isPresent() ? PercentFormat.gap(error(profile).getAsDouble()) : "-",
                runs.getOrDefault(name, PastRuns.NONE).runs(),
                runs.getOrDefault(name, PastRuns.NONE).samples(),
                profile.measured().source()));
    return table;
  }

  /** A profile in the document of {@code profiles list --json}. */
  public record ProfileDocument(
      @JsonPropertyDescription("Its name.") String name,
      @JsonPropertyDescription("The hash of the program.") String program,
      @JsonPropertyDescription("The GPU model.") String gpu,
      @JsonPropertyDescription("The unit of training.") String unit,
      @JsonPropertyDescription("How it was measured.") String source,
      @JsonPropertyDescription("When it was measured.") Instant date,
      @JsonPropertyDescription("Number of measurements, without those of later runs.") int samples,
      @JsonPropertyDescription("Its age in seconds.") long ageS,
      @JsonPropertyDescription("Number of runs of the program in the history.") int runs,
      @JsonPropertyDescription("Number of measurements of these runs, which plans use, too.")
          int samplesOfRuns,
      @KeyIfPresent
          @JsonPropertyDescription("Largest relative standard error of a training time, if known.")
          Optional<Double> standardError) {}

  private List<ProfileDocument> document(
      Map<String, Profile> profiles, Map<String, PastRuns> runs) {
    return profiles.entrySet().stream()
        .map(entry -> document(entry.getKey(), entry.getValue(), runs))
        .toList();
  }

  private ProfileDocument document(String name, Profile profile, Map<String, PastRuns> runs) {
    return new ProfileDocument(
        name,
        profile.program(),
        profile.gpu(),
        profile.unit(),
        profile.measured().source(),
        profile.measured().at(),
        profile.measured().samples(),
        age(profile.measured().at()).toSeconds(),
        runs.getOrDefault(name, PastRuns.NONE).runs(),
        runs.getOrDefault(name, PastRuns.NONE).samples(),
        error(profile).stream().boxed().findFirst());
  }

  /** Prints one profile. */
  public ExitCode show(String name) {
    Profile profile = store.read(file(name)).orElseThrow(() -> unreadable(name));
    evidence(name, profile).forEach(output.text()::println);
    output.text().print(ProfileFile.write(profile));
    output.jsonDocument(() -> FileJson.profile(profile));
    return ExitCode.DONE;
  }

  /** Comments that precede the file: its age, and what is known of each number. */
  private List<String> evidence(String name, Profile profile) {
    List<String> lines = new ArrayList<>();
    PastRuns past = runs(Map.of(name, profile)).getOrDefault(name, PastRuns.NONE);
    lines.add(
        "# measured "
            + age(profile)
            + " ago; "
            + Plural.counted(past.runs(), "run")
            + " of this program in the history"
            + (past.runs() > 0
                ? ", with " + Plural.counted(past.samples(), "measurement") + " more"
                : ""));
    for (MeasuredNumber number : profile.measured().numbers()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "# %s: %.4g ± %.2g, n=%d%s",
              number.name(),
              number.value(),
              number.standardError(),
              number.count(),
              number.name().startsWith(ScalingLaw.MODELED)
                  ? ", modeled: plans do not use it"
                  : ""));
    }
    return lines;
  }

  /** Removes one profile. */
  public ExitCode remove(String name) {
    try {
      Files.delete(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output.text().println("Removed " + name + ".");
    output.jsonDocument(() -> new RemovedDocument(name));
    return ExitCode.DONE;
  }

  private Path file(String name) {
    return Optional.ofNullable(files.get(name))
        .orElseThrow(
            () ->
                CommandFailure.invalid(
                    name,
                    "no such profile",
                    NearestName.find(name, files.keySet())
                        .map(near -> "did you mean " + near + "?")
                        .orElse("see 'elastune profiles list'")));
  }

  private CommandFailure unreadable(String name) {
    return CommandFailure.invalid(
        name, "the file is not a valid profile", "remove it: " + files.get(name));
  }
}
