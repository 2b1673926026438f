/**
 * Measures the quality of plans: compares them with the enumeration of all plans, with other
 * planning methods, and with executions from other random draws. Uses only the public API of the
 * planner.
 */
@NullMarked
package io.elastune.planner.quality;

import org.jspecify.annotations.NullMarked;
