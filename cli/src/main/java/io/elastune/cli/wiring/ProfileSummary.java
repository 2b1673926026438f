package io.elastune.cli.wiring;

import io.elastune.core.profile.Measured;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The combined source, date and sample count of a plan's profiles.
 *
 * @param source the sources of all profiles
 * @param at when the oldest was measured
 * @param samples the total number of measured units
 */
public record ProfileSummary(String source, Instant at, int samples) {
  /** Summarizes the profiles. */
  public static ProfileSummary of(List<Loaded<Profile>> profiles) {
    List<Measured> measured = profiles.stream().map(profile -> profile.value().measured()).toList();
    return new ProfileSummary(
        measured.stream().map(Measured::source).distinct().collect(Collectors.joining(", ")),
        measured.stream().map(Measured::at).min(Comparator.naturalOrder()).orElse(Instant.EPOCH),
        measured.stream().mapToInt(Measured::samples).sum());
  }
}
