/** The planner of searches whose plans are compared by sampling alone. */
@NullMarked
package io.elastune.planner.sampled;

import org.jspecify.annotations.NullMarked;
