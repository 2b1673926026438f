/** Test helpers shared by several packages. */
@NullMarked
package io.elastune.provisioner.aws.testing;

import org.jspecify.annotations.NullMarked;
