/** Rented instances as nodes of the run's own Ray cluster. */
@NullMarked
package io.elastune.executor.ray.rented;

import org.jspecify.annotations.NullMarked;
