/**
 * The checkpoints of trials on disk: validates them and deletes those that are no longer needed.
 */
@NullMarked
package io.elastune.executor.checkpoint;

import org.jspecify.annotations.NullMarked;
