/** The engine of this machine: one process per worker. */
@NullMarked
package io.elastune.executor.local;

import org.jspecify.annotations.NullMarked;
