/** Exit codes, problems, and the mapping of exceptions to them. */
@NullMarked
package io.elastune.cli.failure;

import org.jspecify.annotations.NullMarked;
