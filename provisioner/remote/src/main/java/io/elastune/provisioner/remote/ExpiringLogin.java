package io.elastune.provisioner.remote;

import java.time.Instant;

/**
 * A login that ends.
 *
 * @param at when it ends, unless the user logs in again before
 * @param remedy how the user logs in again, as a clause
 */
public record ExpiringLogin(Instant at, String remedy) {}
