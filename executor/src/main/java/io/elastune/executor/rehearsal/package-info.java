/**
 * Rehearsals: whole runs in the simulated world, decided by the same core as real ones, and judged
 * by what the world knows to have happened.
 */
@NullMarked
package io.elastune.executor.rehearsal;

import org.jspecify.annotations.NullMarked;
