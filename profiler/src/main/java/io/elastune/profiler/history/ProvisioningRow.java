package io.elastune.profiler.history;

import java.util.OptionalDouble;

/**
 * The provisioning times of one lease.
 *
 * @param hour hour of the request, in UTC
 */
public record ProvisioningRow(
    String offer, String setup, int hour, OptionalDouble queueS, OptionalDouble bootS) {}
