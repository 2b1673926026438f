/** The door: one EC2 region as a cloud whose leases are rented, watched and given back. */
@NullMarked
package io.elastune.provisioner.aws.cloud;

import org.jspecify.annotations.NullMarked;
