/**
 * Allocation rules that the simulator and the executor share: legal sizes, slots, the
 * list-scheduling order, teams, and the release order of instances (docs/model.md, "Time" and
 * "Money").
 */
@NullMarked
package io.elastune.core.allocation;

import org.jspecify.annotations.NullMarked;
