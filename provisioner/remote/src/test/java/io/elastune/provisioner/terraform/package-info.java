/** Reads and tests the Terraform modules. */
@NullMarked
package io.elastune.provisioner.terraform;

import org.jspecify.annotations.NullMarked;
