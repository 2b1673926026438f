/** Checkpoints of trials on disk: which of them are whole, and which are kept. */
@NullMarked
package io.elastune.executor.checkpoint;

import org.jspecify.annotations.NullMarked;
