/** Checks whether a node has the working GPUs that its offer states. */
@NullMarked
package io.elastune.executor.ray.acceptance;

import org.jspecify.annotations.NullMarked;
