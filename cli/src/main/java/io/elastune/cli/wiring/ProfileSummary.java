package io.elastune.cli.wiring;

import io.elastune.core.profile.Measured;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Where the profiles of a plan come from, in one line.
 *
 * @param source what measured them
 * @param at when the oldest was measured
 * @param samples measured units of all together
 */
public record ProfileSummary(String source, Instant at, int samples) {
  /** Of at least one profile. */
  public static ProfileSummary of(List<Loaded<Profile>> profiles) {
    List<Measured> measured = profiles.stream().map(profile -> profile.value().measured()).toList();
    return new ProfileSummary(
        measured.stream().map(Measured::source).distinct().collect(Collectors.joining(", ")),
        measured.stream().map(Measured::at).min(Comparator.naturalOrder()).orElse(Instant.EPOCH),
        measured.stream().mapToInt(Measured::samples).sum());
  }
}
