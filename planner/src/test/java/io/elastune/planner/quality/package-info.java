/**
 * How good the planner's plans are: against every plan there is, against other ways of planning,
 * and in executions that it has not seen. Uses the planner's public door only.
 */
@NullMarked
package io.elastune.planner.quality;

import org.jspecify.annotations.NullMarked;
