/** Asks a sampler in a process of its own for the configurations of new trials. */
@NullMarked
package io.elastune.executor.sampler;

import org.jspecify.annotations.NullMarked;
