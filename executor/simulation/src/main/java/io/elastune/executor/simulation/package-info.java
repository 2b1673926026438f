/**
 * The simulated environment: a {@code Cloud} and an {@code Engine} in virtual time, with the faults
 * of real clouds, drawn from one seed. It records the ground truth of what happened, which runs are
 * checked against.
 */
@NullMarked
package io.elastune.executor.simulation;

import org.jspecify.annotations.NullMarked;
