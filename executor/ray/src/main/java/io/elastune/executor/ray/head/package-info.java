/** The head of the Ray cluster that the rented instances of one run join. */
@NullMarked
package io.elastune.executor.ray.head;

import org.jspecify.annotations.NullMarked;
