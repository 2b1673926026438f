package io.elastune.inputs;

import io.elastune.core.profile.MeasurementOrigin;
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
  public static ProfileSummary of(List<LoadedFile<Profile>> profiles) {
    List<MeasurementOrigin> measurementOrigin =
        profiles.stream().map(profile -> profile.value().measured()).toList();
    return new ProfileSummary(
        measurementOrigin.stream()
            .map(MeasurementOrigin::source)
            .distinct()
            .collect(Collectors.joining(", ")),
        measurementOrigin.stream()
            .map(MeasurementOrigin::at)
            .min(Comparator.naturalOrder())
            .orElse(Instant.EPOCH),
        measurementOrigin.stream().mapToInt(MeasurementOrigin::samples).sum());
  }
}
