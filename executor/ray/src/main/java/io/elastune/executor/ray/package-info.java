/** The Ray engine: runs the workers of trials as processes on the nodes of a Ray cluster. */
@NullMarked
package io.elastune.executor.ray;

import org.jspecify.annotations.NullMarked;
