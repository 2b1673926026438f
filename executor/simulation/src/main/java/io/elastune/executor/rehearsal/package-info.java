/**
 * Rehearsals: complete runs in the simulated environment, with the same decision core as real runs,
 * checked against the environment's ground truth.
 */
@NullMarked
package io.elastune.executor.rehearsal;

import org.jspecify.annotations.NullMarked;
