/** A controller that is killed while it launches. */
@NullMarked
package io.elastune.provisioner.aws.killed;

import org.jspecify.annotations.NullMarked;
