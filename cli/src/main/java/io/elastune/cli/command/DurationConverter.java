package io.elastune.cli.command;

import io.elastune.core.time.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts an option value to a duration, in the format of the job file. */
final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String given) {
    return Durations.parse(given)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "must be a duration such as 0.5s, 2s or 1m30s, not '" + given + "'"));
  }
}
