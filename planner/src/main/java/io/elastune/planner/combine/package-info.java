/**
 * Combines the candidates of several chains under the limits that they share (docs/planner.md, step
 * 4).
 */
@NullMarked
package io.elastune.planner.combine;

import org.jspecify.annotations.NullMarked;
