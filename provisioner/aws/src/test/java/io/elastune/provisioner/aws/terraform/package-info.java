/** Tests of the Terraform module for AWS. */
@NullMarked
package io.elastune.provisioner.aws.terraform;

import org.jspecify.annotations.NullMarked;
