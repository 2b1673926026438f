/** Estimates of the completion time and cost of a plan. */
@NullMarked
package io.elastune.core.estimate;

import org.jspecify.annotations.NullMarked;
