package io.elastune.inputs;

import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.executor.code.CodeException;
import io.elastune.executor.code.CodeManifest;
import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.journal.RunFolder;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/** Compares the code that a profile has measured with the present code of the workdir. */
final class ProfiledCode {
  private static final int MOST_NAMED = 3;

  private final InputEnvironment environment;
  private final WorkdirCode code;

  ProfiledCode(InputEnvironment environment, WorkdirCode code) {
    this.environment = environment;
    this.code = code;
  }

  /** Returns a note if the code has changed since a profile was measured. */
  Optional<String> note(List<MeasurementOrigin> profiles) {
    List<MeasurementOrigin> known =
        profiles.stream().filter(profile -> profile.code().isPresent()).toList();
    if (known.isEmpty() || !Files.isDirectory(code.workdir())) {
      return Optional.empty();
    }
    CodeManifest now;
    try {
      now = code.scan();
    } catch (CodeException e) {
      return Optional.empty(); // a run reports it
    }
    String hash = now.hash();
    return known.stream()
        .filter(profile -> !profile.code().equals(Optional.of(hash)))
        .findFirst()
        .flatMap(profile -> changes(profile, now))
        .map(changes -> "the code has changed since it was profiled" + changes);
  }

  /** Returns nothing if the profiled code is the present one, and only a later run had another. */
  private Optional<String> changes(MeasurementOrigin profile, CodeManifest now) {
    String remedy = "; if it trains slower or faster now: elastune profile";
    if (!profile.source().startsWith(MeasurementOrigin.RUN)) {
      return Optional.of(remedy);
    }
    String run = profile.source().substring(MeasurementOrigin.RUN.length());
    try {
      List<String> changes =
          CodeSnapshot.open(RunFolder.of(environment.home(), run).code(1))
              .manifest()
              .changesTo(now);
      int more = changes.size() - MOST_NAMED;
      return changes.isEmpty()
          ? Optional.empty()
          : Optional.of(
              ": "
                  + String.join(", ", changes.subList(0, Math.min(MOST_NAMED, changes.size())))
                  + (more > 0 ? " and " + more + " more" : "")
                  + remedy);
    } catch (CodeException e) {
      return Optional.of(remedy); // the run was removed
    }
  }
}
