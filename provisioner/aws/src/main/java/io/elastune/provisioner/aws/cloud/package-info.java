/** The implementation of {@code Cloud} for EC2: it rents, monitors and releases instances. */
@NullMarked
package io.elastune.provisioner.aws.cloud;

import org.jspecify.annotations.NullMarked;
