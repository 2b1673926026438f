/** How a command fails: exit codes, problems, and the one place that maps exceptions to them. */
@NullMarked
package io.elastune.cli.failure;

import org.jspecify.annotations.NullMarked;
