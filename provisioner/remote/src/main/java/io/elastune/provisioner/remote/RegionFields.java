package io.elastune.provisioner.remote;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.ScalarCodecs;
import java.time.Duration;
import java.util.function.Function;

/** Fields of a region in {@code clouds.yaml} that all clouds have. */
public final class RegionFields {
  private static final Duration ONE_DAY = Duration.ofDays(1);
  private static final Duration SHORTEST = Duration.ofMinutes(10);

  private RegionFields() {}

  /**
   * Returns the field for public addresses.
   *
   * @param gateway what nodes without an address need to reach the internet
   */
  public static <S> Field<S, Boolean> publicAddress(Function<S, Boolean> getter, String gateway) {
    return Field.withDefault(
        "public_address",
        ScalarCodecs.trueOrFalse(),
        false,
        getter,
        "Whether nodes have a public IP address. Without one they need "
            + gateway
            + " to reach the internet.",
        "false");
  }

  /** Returns the field for the longest life of a node. */
  public static <S> Field<S, Duration> maxLifetime(
      Function<S, Duration> getter, String description) {
    return Field.withDefault(
        "max_lifetime", QuantityCodecs.duration(SHORTEST), ONE_DAY, getter, description, "24h");
  }
}
