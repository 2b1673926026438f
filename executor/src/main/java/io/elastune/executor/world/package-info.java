/**
 * The simulated world: a cloud and an engine in virtual time, drawn from one seed, with the faults
 * that clouds have. It keeps its own book of what really happened, by which runs are judged.
 */
@NullMarked
package io.elastune.executor.world;

import org.jspecify.annotations.NullMarked;
