/**
 * The planner's inputs and results: options, plans with their estimates, baselines, the frontier,
 * and the snapshot of a run that is re-planned.
 */
@NullMarked
package io.elastune.planner.api;

import org.jspecify.annotations.NullMarked;
