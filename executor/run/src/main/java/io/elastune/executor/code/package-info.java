/**
 * The version of the training program that a run uses: a private snapshot of the workdir, and the
 * working folders of the trials.
 */
@NullMarked
package io.elastune.executor.code;

import org.jspecify.annotations.NullMarked;
