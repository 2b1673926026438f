package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.text.ByteFormat;
import io.elastune.executor.code.CodeVersion;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.RunReader;
import io.elastune.plan.json.KeyIfPresent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Describes the versions of the code that a run used, and which trials used which. */
public final class CodeSummary {
  private final RunRecord run;
  private final List<CodeVersion> versions;

  public CodeSummary(RunRecord run) {
    this.run = run;
    versions = run.meta().code();
  }

  /** Returns one line for each version; none for a run without a snapshot. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    Map<Integer, SortedSet<Integer>> trials = trialsByVersion();
    for (CodeVersion version : versions) {
      String used =
          versions.size() == 1
              ? ""
              : "version " + version.number() + ", " + trials(trials, version) + ": ";
      lines.add(used + text(version));
    }
    return lines;
  }

  /** Returns e.g. {@code 0f3a5c7e9b1d, 4 files (2.5 kB), commit 1a2b3c4d5e6f}. */
  static String text(CodeVersion version) {
    return version.shortHash()
        + ", "
        + version.files()
        + (version.files() == 1 ? " file (" : " files (")
        + ByteFormat.format(version.bytes())
        + ")"
        + version.commit().map(id -> ", commit " + CodeVersion.shorten(id)).orElse("")
        + (version.dirty() ? " with changes that are not committed" : "");
  }

  private static String trials(Map<Integer, SortedSet<Integer>> trials, CodeVersion version) {
    SortedSet<Integer> some = trials.getOrDefault(version.number(), new TreeSet<>());
    return some.isEmpty()
        ? "no trial"
        : (some.size() == 1 ? "trial " : "trials ")
            + some.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** Returns the trials with attempts of each version; nothing if there is one version. */
  private Map<Integer, SortedSet<Integer>> trialsByVersion() {
    Map<Integer, SortedSet<Integer>> trials = new TreeMap<>();
    if (versions.size() > 1) {
      try (RunReader reader = RunReader.open(run.folder())) {
        for (AttemptRow attempt : reader.attempts()) {
          trials
              .computeIfAbsent(versionAt(attempt.started()), number -> new TreeSet<>())
              .add(attempt.trial());
        }
      }
    }
    return trials;
  }

  private int versionAt(Instant at) {
    return versions.stream()
        .filter(version -> version.sinceMs() <= at.toEpochMilli())
        .mapToInt(CodeVersion::number)
        .max()
        .orElse(1);
  }

  /** One version of the code, as part of the document of {@code report}. */
  record VersionDocument(
      @JsonPropertyDescription("Its number, from 1.") int version,
      @JsonPropertyDescription("The SHA-256 hash of its files.") String sha256,
      @JsonPropertyDescription("Number of its files.") int files,
      @JsonPropertyDescription("Their size in bytes.") long bytes,
      @JsonPropertyDescription("Its Git commit, if there is one.") Optional<String> commit,
      @JsonPropertyDescription("Whether files had changes that are not committed.") boolean dirty,
      @KeyIfPresent @JsonPropertyDescription("With several versions: the trials that used it.")
          Optional<Set<Integer>> trials) {}

  /** Returns the versions for JSON output. */
  List<VersionDocument> documents() {
    Map<Integer, SortedSet<Integer>> trials = trialsByVersion();
    return versions.stream().map(version -> document(version, trials)).toList();
  }

  private VersionDocument document(CodeVersion version, Map<Integer, SortedSet<Integer>> trials) {
    return new VersionDocument(
        version.number(),
        version.hash(),
        version.files(),
        version.bytes(),
        version.commit(),
        version.dirty(),
        versions.size() > 1
            ? Optional.of(trials.getOrDefault(version.number(), new TreeSet<>()))
            : Optional.empty());
  }
}
